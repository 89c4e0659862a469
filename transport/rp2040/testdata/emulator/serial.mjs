// The serial line of the emulated board: full-speed USB, one packet at a time, between the firmware and a host that is
// always ready to send and receive. The host's bytes are on file descriptors 0 and 1.
const packetNs = (bytes) => (bytes + 15) * 8 / 12 * 1000; // token, handshake and gaps equal about 15 bytes

export function serialLine({ mcu: { usbCtrl: usb, clock }, USBCDC }, ended) {
  const cdc = new USBCDC(usb);
  let busFree = 0;
  function transfer(bytes) { // returns ns until the end of the packet
    busFree = Math.max(busFree, clock.nanos) + packetNs(bytes);
    return busFree - clock.nanos;
  }

  const received = [];
  let wanted = null; // size of the packet that the endpoint waits for; until it comes the device answers with NAK
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
