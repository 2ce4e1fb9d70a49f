/** How an export stands, as Home and its segment show it. */
import { useApp } from '../app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { undeliveredIn, type ExportWithJob } from './exports.ts';

/** The state of the newest run of an export, in a word. */
export const ExportState = ({ of }: { readonly of: ExportWithJob }) => {
  const words = useApp().texts.home.state;
  const status = of.job?.status ?? 'scheduled';
  if (status === 'failed') return <State kind="bad" icon="cross" text={words.failed} />;
  if (status !== 'complete') return <State kind={status === 'running' ? 'run' : ''} text={words[status]} />;
  const missing = undeliveredIn(of.job?.deliveries ?? []);
  if (missing !== undefined) {
    const text = missing.state === 'exhausted' ? words.undelivered : words.retrying;
    return <State kind="bad" icon="cross" text={text} />;
  }
  const { deliveries = [] } = of.job ?? {};
  if (deliveries.some(({ state }) => state !== 'delivered'))
    return <State kind="run" text={words.delivering} />;
  return <State kind="" icon="tick" text={deliveries.length > 0 ? words.delivered : words.complete} />;
};

const State = (props: { readonly kind: string; readonly icon?: 'tick' | 'cross'; readonly text: string }) => (
  <span class={`state ${props.kind}`}>
    {props.icon !== undefined && <Icon name={props.icon} small />}
    {props.text}
  </span>
);
