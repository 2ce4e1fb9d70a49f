import ipaddr from 'ipaddr.js';

/** The private targets that a stage allows: none, or only the machine itself, for trials. */
export type PrivateTargets = 'none' | 'loopback';

/** The range of public IPv6 addresses (RFC 4291). Addresses outside it are private, local or transitional. */
const globalUnicast = ipaddr.IPv6.parse('2000::');

/** Documentation addresses (RFC 9637), unknown to the library. */
const documentation = ipaddr.IPv6.parse('3fff::');

/** The public address at which a cloud serves its metadata to each of its machines. */
const metadata = new Set(['168.63.129.16']);

/**
 * Classifies an address, as protection against server-side request forgery (SSRF): `public`, `loopback` (this machine),
 * or `private` for everything else (private, link-local, carrier, metadata, multicast, NAT64 and other transition
 * ranges, reserved). An IPv4 address inside an IPv6 address is classified as the IPv4 address.
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

/** Whether the service may connect to an address. Plain `http` may go to this machine only. */
export const mayConnect = (address: string, secure: boolean, allowed: PrivateTargets): boolean => {
  const kind = addressKind(address);
  return kind === 'public' ? secure : kind === 'loopback' && allowed === 'loopback';
};
