import * as v from 'valibot';
import type { Notice } from '../../../local/services/sns/topics.ts';

const Change = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ AlarmName: v.string(), AlarmDescription: v.string(), NewStateValue: v.string() }),
);

/** The line about a message to a topic of alarms: an alarm that rings says what to do, one that ends only its name. */
export const noticeLine = ({ message }: Notice): string => {
  const change = v.safeParse(Change, message);
  if (!change.success) return message;
  const { AlarmName, AlarmDescription, NewStateValue } = change.output;
  return NewStateValue === 'ALARM'
    ? `ALARM ${AlarmName}. ${AlarmDescription}`
    : `${NewStateValue} ${AlarmName}`;
};
