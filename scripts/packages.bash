# Installs the Debian packages that scripts need; to be sourced.
#
#   need COMMAND PACKAGE   records the package if the command is missing
#   get_packages           installs all recorded packages, as root or with sudo. Returns 0 if nothing is missing any more, 1 if they
#                          cannot be installed, 2 if this system has no apt; $reason is then one sentence that names them all

missing=()
missing_commands=()

need() {
	command -v "$1" >/dev/null && return
	missing+=("$2")
	missing_commands+=("$1")
}

apt_as_root() {
	if [ "$(id -u)" = 0 ]; then
		DEBIAN_FRONTEND=noninteractive apt-get "$@"
	elif [ -t 0 ]; then
		sudo env DEBIAN_FRONTEND=noninteractive apt-get "$@" # sudo may ask for a password
	else
		sudo -n env DEBIAN_FRONTEND=noninteractive apt-get "$@"
	fi
}

get_packages() {
	reason=
	[ ${#missing[@]} -gt 0 ] || return 0
	if ! command -v apt-get >/dev/null; then
		reason="this system has no apt-get, and lacks ${missing_commands[*]} (in Debian the packages ${missing[*]}): install them its own way"
		return 2
	fi
	local log
	if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
		reason="the packages ${missing[*]} are missing, and only root may install them: run apt-get install ${missing[*]} as root"
		return 1
	fi
	echo "installing ${missing[*]}"
	log=$(mktemp)
	if ! { apt_as_root update -q && apt_as_root install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
		tail -3 "$log" >&2
		reason="the packages ${missing[*]} are missing and apt-get could not install them, see above: run apt-get install ${missing[*]} as root"
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
	missing=()
	missing_commands=()
}
