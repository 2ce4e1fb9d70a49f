/** Dialogs: for what cannot be undone, and for short forms. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Texts } from '../texts/en.ts';
import { Icon } from './icon.tsx';

/** What has the focus first: the first field of a form, or else the first button of the footer, which is the harmless one. */
const FIRST = '[autofocus], .body :is(select, textarea, input:not([type=checkbox])), footer .button';

/** A dialog that is open as long as it is there. Escape closes it, and Enter in a field presses its main button. */
export const Dialog = (props: {
  readonly title: string;
  readonly line?: ComponentChildren;
  readonly close: string;
  readonly onClose: () => void;
  readonly footer: ComponentChildren;
  readonly children?: ComponentChildren;
}) => {
  const place = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    // Whoever goes back with the browser leaves the dialog too.
    addEventListener('hashchange', props.onClose);
    return () => {
      removeEventListener('hashchange', props.onClose);
    };
  }, [props.onClose]);
  useEffect(() => {
    place.current?.showModal();
    place.current?.querySelector<HTMLElement>(FIRST)?.focus();
  }, []);
  return (
    <dialog ref={place} aria-labelledby={title} onClose={props.onClose} onKeyDown={enter}>
      <header>
        <div>
          <h2 id={title}>{props.title}</h2>
          {props.line !== undefined && <p class="muted">{props.line}</p>}
        </div>
        <CloseButton label={props.close} onClose={props.onClose} />
      </header>
      <div class="body stack">{props.children}</div>
      <footer>{props.footer}</footer>
    </dialog>
  );
};

const enter = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('footer .main')?.click();
};

/** The buttons of a short form: one that closes it, and, until it is done, one that sends it. */
export const FormButtons = (props: {
  readonly isDone: boolean;
  readonly isReady: boolean;
  readonly texts: Texts;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  /** What the second button says. */
  readonly children: ComponentChildren;
}) => (
  <>
    <button type="button" class="button" onClick={props.onClose}>
      {props.isDone ? props.texts.parts.close : props.texts.parts.cancel}
    </button>
    {!props.isDone && (
      <button type="button" class="button main" aria-disabled={!props.isReady} onClick={props.onSubmit}>
        {props.children}
      </button>
    )}
  </>
);

/** A drawer at the side: it explains a thing of the page, which stays in view. Escape closes it. */
export const Drawer = (props: {
  readonly title: string;
  readonly line?: ComponentChildren;
  readonly close: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) => {
  const place = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    before.current = document.activeElement;
    place.current?.focus();
    return () => {
      if (before.current instanceof HTMLElement) before.current.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') props.onClose();
  };
  return (
    <aside class="drawer" ref={place} tabIndex={-1} aria-label={props.title} onKeyDown={onKeyDown}>
      <header>
        <div>
          <h2>{props.title}</h2>
          {props.line !== undefined && <p class="small muted">{props.line}</p>}
        </div>
        <CloseButton label={props.close} onClose={props.onClose} />
      </header>
      <div class="body stack">{props.children}</div>
    </aside>
  );
};

const CloseButton = ({ label, onClose }: { readonly label: string; readonly onClose: () => void }) => (
  <button type="button" class="button plain square" aria-label={label} onClick={onClose}>
    <Icon name="cross" />
  </button>
);
