/** The notice of a delivery that has not arrived: why, its attempts, and another one. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { reasonOf } from '../../exports/exports.ts';
import { useAction } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { Notice, Problem } from '../../parts/notice.tsx';
import { Attempts, type Log } from './attempts.tsx';

interface UndeliveredProps {
  readonly title: string;
  readonly delivery: {
    readonly id: string;
    readonly attempts: number;
    readonly last_error: string | null;
    readonly next_attempt: string | null;
  };
  readonly load: () => Promise<Log>;
  /** Delivers once more; `undefined` for who may not. */
  readonly replay: (() => Promise<unknown>) | undefined;
  readonly onChange: () => void;
}

export const Undelivered = (props: UndeliveredProps) => {
  const { texts, format } = useApp();
  const words = texts.home.failures;
  const { attempts, last_error, next_attempt } = props.delivery;
  return (
    <Notice kind="bad" title={props.title} actions={<Buttons {...props} />}>
      <p>{reasonOf(texts, last_error)}</p>
      <p class="code">
        {words.attempts(format.number(attempts), attempts)}
        {next_attempt !== null && ` · ${words.next(format.when(next_attempt))}`}
      </p>
    </Notice>
  );
};

const Buttons = ({ delivery, load, replay, onChange }: UndeliveredProps) => {
  const { texts } = useApp();
  const words = texts.home.failures;
  const [isOpen, setIsOpen] = useState(false);
  const again = useAction(async () => {
    await replay?.();
    onChange();
  });
  return (
    <>
      <button
        type="button"
        class="button small"
        onClick={() => {
          setIsOpen(true);
        }}
      >
        {words.seeAttempts}
      </button>
      {replay !== undefined && (
        <button
          type="button"
          class="button small"
          aria-disabled={again.running}
          onClick={() => {
            again.run();
          }}
        >
          <Icon name="again" small />
          {words.replay}
        </button>
      )}
      <Problem error={again.problem} texts={texts} />
      {isOpen && (
        <Attempts
          id={delivery.id}
          load={load}
          onClose={() => {
            setIsOpen(false);
          }}
        />
      )}
    </>
  );
};
