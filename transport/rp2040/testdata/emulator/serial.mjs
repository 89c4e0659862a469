// The serial line of the emulated board: USB at full speed, one packet at a time, between the firmware and a host that always has
// a packet to send or takes one. The host's bytes are on file descriptors 0 and 1.
const packetNs = (bytes) => (bytes + 15) * 8 / 12 * 1000; // token, handshake and gaps take as long as some 15 bytes

export function serialLine({ mcu: { usbCtrl: usb, clock }, USBCDC }, ended) {
  const cdc = new USBCDC(usb);
  let busFree = 0;
  function transfer(bytes) { // gives ns from now to the end of the packet
    busFree = Math.max(busFree, clock.nanos) + packetNs(bytes);
    return busFree - clock.nanos;
  }

  const received = [];
  let wanted = null; // the endpoint waits for a packet of this size; until there is one the device answers with NAK
  const enumerating = usb.onEndpointRead;
  usb.onEndpointRead = (endpoint, size) => {
    if (endpoint !== cdc.outEndpoint) return enumerating(endpoint, size);
    wanted = size;
    feed();
  };
  function feed() {
    if (wanted === null || !received.length) return;
    const bytes = received.splice(0, wanted);
    wanted = null;
    usb.endpointReadDone(cdc.outEndpoint, Uint8Array.from(bytes), transfer(bytes.length) / 1000);
  }

  const ready = usb.indicateBufferReady;
  const taken = clock.createAlarm(() => ready.call(usb, cdc.inEndpoint, false));
  usb.indicateBufferReady = (endpoint, out) => {
    if (out || endpoint !== cdc.inEndpoint) return ready.call(usb, endpoint, out);
    taken.schedule(transfer(64));
  };
  cdc.onSerialData = (bytes) => { process.stdout.write(bytes); };
  process.stdin.on('data', (bytes) => { for (const b of bytes) received.push(b); feed(); });
  process.stdin.on('end', ended).on('error', ended);
}
