import {
  deliveryKinds,
  type DeliveryKind,
  type ExportDefinition,
  type ExportDelivery,
} from '../model/items.ts';
import { closedLog } from './delivery-log.ts';

/** The kinds of deliveries that the jobs of a definition get. */
export const kindsOf = ({
  destination,
  webhook_url,
  notification_email,
}: ExportDefinition): readonly DeliveryKind[] => {
  const targets = { sftp: destination, webhook: webhook_url, email: notification_email };
  return deliveryKinds.filter((kind) => targets[kind] !== null);
};

/** A delivery before its first attempt, or, as a replay of `before`, before its next attempt. */
export const newDelivery = (kind: DeliveryKind, before?: ExportDelivery): ExportDelivery => ({
  kind,
  state: 'waiting',
  replays: before ? before.replays + 1 : 0,
  begun: before?.begun ?? 0,
  attempts: 0,
  first_attempt: null,
  last_attempt: null,
  last_error: null,
  next_attempt: null,
  delivered: null,
  log: closedLog(before?.log ?? []),
});
