/** Notices: what happened, in the words of the API where it said something. */
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { TidemarkConnectionError, TidemarkProblem } from '../../../client/src/problem.ts';
import { UploadError } from '../../../client/src/upload-error.ts';
import { AppContext } from '../app-context.ts';
import { isEnded } from '../session.ts';
import type { Texts } from '../texts/en.ts';
import { Icon } from './icon.tsx';

/** A notice. `warn` waits for the reader; `bad` failed. */
export const Notice = (props: {
  readonly kind?: 'warn' | 'bad';
  readonly title?: string;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}) => (
  <div class={`notice ${props.kind ?? ''}`} role={props.kind === 'bad' ? 'alert' : 'status'}>
    <Icon name={props.kind === undefined ? 'info' : 'warn'} />
    <div>
      {props.title !== undefined && (
        <p>
          <b>{props.title}</b>
        </p>
      )}
      {props.children}
    </div>
    {props.actions !== undefined && <div class="row">{props.actions}</div>}
  </div>
);

/** What a screen reader says once it changes. It is there, empty, before anything happens. */
export const Live = ({ text }: { readonly text: string }) => (
  <p class="unseen" role="status">
    {text}
  </p>
);

/** What went wrong: a sentence, one for each fault of the request, and the code. */
interface Explained {
  readonly detail: string;
  readonly faults: readonly string[];
  readonly code: string | undefined;
}

/** Explains an error of a call. The sentences of a problem are the API's own. */
const explain = (error: unknown, texts: Texts): Explained => {
  if (isEnded(error)) return { detail: texts.problems.ended, faults: [], code: undefined };
  if (error instanceof TidemarkProblem) {
    const { detail, errors, code, requestId } = error;
    const faults = errors.map((fault) => fault.detail);
    const id = error.status >= 500 && requestId !== undefined ? `${code} · ${requestId}` : code;
    return { detail, faults: faults.filter((fault) => !detail.includes(fault)), code: id };
  }
  if (error instanceof TidemarkConnectionError)
    return { detail: texts.problems.noAnswer, faults: [], code: undefined };
  if (error instanceof UploadError) return { detail: error.message, faults: [], code: undefined };
  return {
    detail: error instanceof Error ? error.message : texts.problems.unknown,
    faults: [],
    code: undefined,
  };
};

/** Shows an error of a call beside the thing it is about; nothing for `undefined`. */
export const Problem = (props: {
  readonly error: unknown;
  readonly texts: Texts;
  readonly title?: string;
  readonly actions?: ComponentChildren;
}) => {
  const app = useContext(AppContext);
  // While the sign-in stands, it says that the session has ended. Afterwards the action has still not happened.
  if (props.error === undefined || ((app?.isOver ?? true) && isEnded(props.error))) return null;
  const { detail, faults, code } = explain(props.error, props.texts);
  const written = (sentence: string): string => app?.format.timesIn(sentence) ?? sentence;
  return (
    <Notice kind="bad" {...(props.title === undefined ? {} : { title: props.title })} actions={props.actions}>
      <p>{written(detail)}</p>
      {faults.map((fault) => (
        <p key={fault}>{written(fault)}</p>
      ))}
      {code !== undefined && <p class="code">{code}</p>}
    </Notice>
  );
};
