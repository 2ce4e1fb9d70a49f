/** The attempts of a delivery, the newest first. */
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loading } from '../../parts/panel.tsx';

/** A dialog with the log of a delivery. */
export const Attempts = (props: {
  readonly path: { readonly export_id: string; readonly job_id: string; readonly delivery: string };
  readonly onClose: () => void;
}) => {
  const { api, texts, format } = useApp();
  const { path, onClose } = props;
  const words = texts.home.attempts;
  const loaded = useLoad(`delivery ${path.delivery}`, () => api.getDelivery({ path }));
  const footer = (
    <button type="button" class="button" onClick={onClose}>
      {texts.parts.close}
    </button>
  );
  return (
    <Dialog title={words.title} close={texts.parts.close} onClose={onClose} footer={footer}>
      <Loading from={loaded} texts={texts}>
        {({ log }) =>
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
                  <span class="second">{error ?? remark ?? words.outcome(outcome)}</span>
                </li>
              ))}
            </ol>
          )
        }
      </Loading>
    </Dialog>
  );
};
