/** The sign-in: user, password and client id. */
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { demoAccounts } from '../demo-accounts.ts';
import { useAction } from '../load.ts';
import { Notice, Problem } from '../parts/notice.tsx';
import { NoPropertyError, rememberedClient, signIn, type Session } from '../session.ts';
import type { Texts } from '../texts/en.ts';

export const SignInScreen = (props: {
  readonly texts: Texts;
  /** Whether an earlier session has ended. */
  readonly ended: boolean;
  readonly onSession: (session: Session) => void;
}) => {
  const { texts, ended } = props;
  const enter = useAction(async (username: string, password: string, clientId: string) => {
    props.onSession(await signIn({ username, password, clientId }));
  });
  const place = useRef<HTMLFormElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const textOf = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    enter.run(textOf('username').trim(), textOf('password'), textOf('client').trim());
  };
  return (
    <main class="alone">
      <p class="brand">
        <Icon name="wave" />
        Tidemark
      </p>
      <section class="panel">
        <form ref={place} class="body stack" onSubmit={onSubmit}>
          <div>
            <h1>{texts.signIn.title}</h1>
            <p class="muted">{texts.signIn.line}</p>
          </div>
          {ended && enter.problem === undefined && <Notice>{texts.signIn.ended}</Notice>}
          {enter.problem instanceof NoPropertyError ? (
            <Notice kind="bad">{texts.signIn.noProperty}</Notice>
          ) : (
            <Problem error={enter.problem} texts={texts} />
          )}
          <Field name="username" label={texts.signIn.username} autocomplete="username" />
          <Field name="password" label={texts.signIn.password} autocomplete="current-password" secret />
          <Field
            name="client"
            label={texts.signIn.client}
            hint={texts.signIn.clientHint}
            autocomplete="off"
            value={rememberedClient()}
          />
          <button class="button main" aria-disabled={enter.running}>
            {texts.signIn.submit}
          </button>
        </form>
        <DemoAccounts texts={texts} running={enter.running} enter={enter.run} />
      </section>
    </main>
  );
};

/** The sign-in before a page whose session has ended. Behind it, everything stays as the reader left it. */
export const SignInAgain = (props: {
  readonly texts: Texts;
  readonly onSession: (session: Session) => void;
}) => {
  const place = useRef<HTMLDialogElement>(null);
  const open = (): void => place.current?.showModal();
  useEffect(open, []);
  return (
    <dialog
      ref={place}
      class="before"
      aria-label={props.texts.signIn.title}
      onCancel={(event) => event.preventDefault()}
      onClose={open}
    >
      <SignInScreen {...props} ended />
    </dialog>
  );
};

/** One button for each demo account of this machine; nothing elsewhere. */
const DemoAccounts = (props: {
  readonly texts: Texts;
  readonly running: boolean;
  readonly enter: (username: string, password: string, clientId: string) => void;
}) =>
  demoAccounts.length === 0 ? null : (
    <footer class="stack">
      <p>{props.texts.signIn.demo}</p>
      <div class="row">
        {demoAccounts.map(({ account, client_id, username, password }) => (
          <button
            key={username}
            type="button"
            class="button"
            aria-disabled={props.running}
            onClick={() => {
              props.enter(username, password, client_id);
            }}
          >
            {account}
          </button>
        ))}
      </div>
    </footer>
  );

const Field = (props: {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly hint?: string;
  readonly secret?: boolean;
  readonly value?: string;
}) => {
  const id = useId();
  const { name, label, hint, secret, autocomplete, value = '' } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        {...(secret === true ? { type: 'password' as const } : { type: 'text' as const })}
        autocomplete={autocomplete}
        defaultValue={value}
        autocapitalize="none"
        spellcheck={false}
        required
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};
