/** A button that asks in a dialog before it works. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { useAction } from '../load.ts';
import { Dialog } from './dialog.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Problem } from './notice.tsx';

/** The button, and the dialog while it asks. `children` say in numbers what happens; a failure of `work` stands below. */
export const ConfirmButton = (props: {
  readonly label: string;
  readonly icon?: IconName;
  readonly small?: boolean;
  /** Whether the work can be taken back, and the dialog is a short form. */
  readonly isSafe?: boolean;
  readonly title: string;
  /** The words of the harmless button. */
  readonly cancel: string;
  readonly confirm: string;
  readonly work: () => Promise<void>;
  readonly children: ComponentChildren;
}) => {
  const { texts } = useApp();
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => {
    setIsOpen(false);
  };
  const action = useAction(async () => {
    await props.work();
    close();
  });
  const footer = (
    <>
      <button type="button" class="button" onClick={close}>
        {props.cancel}
      </button>
      <button
        type="button"
        class={props.isSafe === true ? 'button main' : 'button danger'}
        aria-disabled={action.running}
        onClick={() => {
          action.run();
        }}
      >
        {props.confirm}
      </button>
    </>
  );
  return (
    <>
      <button
        type="button"
        class={props.small === true ? 'button small' : 'button'}
        onClick={() => {
          action.clear();
          setIsOpen(true);
        }}
      >
        {props.icon !== undefined && <Icon name={props.icon} small />}
        {props.label}
      </button>
      {isOpen && (
        <Dialog title={props.title} close={texts.parts.close} onClose={close} footer={footer}>
          {props.children}
          <Problem error={action.problem} texts={texts} />
        </Dialog>
      )}
    </>
  );
};
