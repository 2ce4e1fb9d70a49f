import { deliveryKinds, type DeliveryKind, type ExportDefinition } from '../model/items.ts';

/** The kinds of deliveries that the jobs of a definition get. */
export const kindsOf = ({
  destination,
  s3_destination,
  webhook_url,
  notification_email,
}: ExportDefinition): readonly DeliveryKind[] => {
  const targets = { sftp: destination, s3: s3_destination, webhook: webhook_url, email: notification_email };
  return deliveryKinds.filter((kind) => targets[kind] !== null);
};
