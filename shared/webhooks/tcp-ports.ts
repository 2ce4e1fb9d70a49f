/** TCP ports: decides which ports of a URL webhooks may use. */

/**
 * Well-known ports of other services from 1024 on: the bad ports of the Fetch standard, which browsers refuse, and the ports of
 * databases, caches, queues and control planes.
 */
const otherServices = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679],
  ...[6697, 10_080],
  ...[1433, 1521, 1883, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 5985, 5986],
  ...[6379, 6380, 6443, 7000, 7001, 8883, 9042, 9092, 9200, 9300, 10_250, 11_211, 15_672, 27_017, 27_018],
]);

/**
 * Whether webhooks may use the port of a URL: the default port of the scheme (empty), or a port from 1024 on that is not the
 * well-known port of another service.
 */
export const isWebhookPort = (port: string): boolean =>
  port === '' || (Number(port) >= 1024 && !otherServices.has(Number(port)));
