/** The attempts of a delivery, the newest first. */
import type { Answer } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { reasonOf } from '../../exports/exports.ts';
import { useLoad } from '../../load.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loading } from '../../parts/panel.tsx';

/** The attempts, as the API shows them. */
export type Log = Answer<'getDelivery'>['log'];

/** A dialog with the log of a delivery. */
export const Attempts = (props: {
  /** The id of the delivery. */
  readonly id: string;
  readonly load: () => Promise<Log>;
  readonly onClose: () => void;
}) => {
  const { texts, format } = useApp();
  const { onClose } = props;
  const words = texts.home.attempts;
  const loaded = useLoad(`delivery ${props.id}`, props.load);
  const footer = (
    <button type="button" class="button" onClick={onClose}>
      {texts.parts.close}
    </button>
  );
  return (
    <Dialog title={words.title} close={texts.parts.close} onClose={onClose} footer={footer}>
      <Loading from={loaded} texts={texts}>
        {(log) =>
          log.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <ol class="attempts stack">
              {log.map(({ number, started, outcome, error, remark }) => (
                <li key={number}>
                  <span class={outcome === 'delivered' ? 'state' : 'state bad'}>
                    <Icon name={outcome === 'delivered' ? 'tick' : 'cross'} small />
                    {words.attempt(format.number(number), format.when(started))}
                  </span>
                  <span class="second">{reasonOf(texts, error) ?? remark ?? words.outcome(outcome)}</span>
                </li>
              ))}
            </ol>
          )
        }
      </Loading>
    </Dialog>
  );
};
