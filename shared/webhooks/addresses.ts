import ipaddr from 'ipaddr.js';

/** Which private targets a stage allows: none, or only the machine itself (for trying things out). */
export type PrivateTargets = 'none' | 'loopback';

/** IPv6 addresses of the public internet lie here (RFC 4291); what lies outside is private, local or transitional. */
const globalUnicast = ipaddr.IPv6.parse('2000::');
/** Documentation (RFC 9637), not yet known to the library. */
const documentation = ipaddr.IPv6.parse('3fff::');
/** A public address that a cloud answers its metadata on, on every machine of it. */
const metadata = new Set(['168.63.129.16']);

/**
 * What an address is, for a service that connects to addresses users give: `public`, this machine, or anything else
 * (private, link-local, carrier, metadata, multicast, NAT64 and other transition ranges, reserved). An IPv4 address
 * inside an IPv6 one counts as itself.
 */
export const addressKind = (text: string): 'public' | 'loopback' | 'private' => {
  if (!ipaddr.isValid(text)) return 'private';
  const address = ipaddr.process(text);
  const range: string = address.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast' || metadata.has(address.toString())) return 'private';
  if (address instanceof ipaddr.IPv4) return 'public';
  return address.match(globalUnicast, 3) && !address.match(documentation, 20) ? 'public' : 'private';
};

/** Whether a notice may be sent to an address. Plain `http` goes to this machine only. */
export const mayConnect = (address: string, secure: boolean, allowed: PrivateTargets): boolean => {
  const kind = addressKind(address);
  return kind === 'public' ? secure : kind === 'loopback' && allowed === 'loopback';
};
