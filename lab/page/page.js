// The page fetches the boards and the latest results every two seconds, and shows them as text.
"use strict";

const kinds = { trouble: "bad", busy: "busy", free: "good", PASS: "good", FAIL: "bad", ERROR: "bad", WIRING: "bad" };

// element returns an element with a class and a text.
function element(name, kind, text) {
	const e = document.createElement(name);
	e.className = kind;
	e.textContent = text;
	return e;
}

// board returns a board's row.
function board(b) {
	const row = document.createElement("li");
	row.append(element("span", "mark " + (kinds[b.state] || "doubt"), b.state), ` ${b.host}.${b.name} `,
		element("span", "more", [b.kind, b.job, b.why].filter(Boolean).join(", ")));
	if (b.job && b.of > 0) {
		const bar = document.createElement("progress");
		bar.max = b.of;
		bar.value = b.done;
		bar.setAttribute("aria-label", `${b.done} of ${b.of} vectors`);
		row.append(bar);
	}
	return row;
}

// result returns a result's row.
function result(r) {
	const row = document.createElement("li");
	row.append(element("span", "mark " + (kinds[r.verdict] || "doubt"), r.verdict), ` ${r.host}.${r.board} `,
		element("span", "more", `${r.job}, ${new Date(r.ended).toLocaleString()}: ${r.text}`));
	if (r.hint) row.append(element("span", "more", r.hint));
	if (r.recording) {
		const link = element("a", "", "report");
		link.href = `report/${encodeURIComponent(r.host)}/${encodeURIComponent(r.job)}`;
		row.append(link);
	}
	return row;
}

// look fetches and shows the boards and results.
async function look() {
	const state = document.getElementById("state");
	try {
		const now = await (await fetch("now")).json();
		const boards = now.boards || [], results = now.results || [];
		document.getElementById("boards").replaceChildren(...boards.map(board));
		document.getElementById("results").replaceChildren(...results.map(result));
		state.textContent = now.error || `${boards.length} boards, ${results.length} results`;
		state.className = now.error ? "lost" : "";
	} catch (e) {
		state.textContent = "benchlab page does not respond";
		state.className = "lost";
	}
	setTimeout(look, 2000);
}

look();
