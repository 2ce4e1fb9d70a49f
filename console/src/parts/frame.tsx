/** The frame of every screen: four tabs, one search, and the menu of the reader. */
import type { ComponentChildren } from 'preact';
import { useApp } from '../app-context.ts';
import { goTo, linkTo, screens, type Screen } from '../route.ts';
import { languages } from '../texts/languages.ts';
import { Icon } from './icon.tsx';
import { Head } from './panel.tsx';

/** The permission without which a screen shows nothing. */
const needs = {
  home: 'definitions.read',
  import: 'definitions.read',
  people: 'people.read',
  segments: 'definitions.read',
} as const;

export const Frame = (props: { readonly screen: Screen; readonly children: ComponentChildren }) => {
  const { texts, property, can } = useApp();
  return (
    <>
      <a class="button skip" href="#content" onClick={skip}>
        {texts.frame.skip}
      </a>
      <header class="top">
        <a class="brand" href={linkTo('home')}>
          <Icon name="wave" />
          <bdi>{property.name}</bdi>
        </a>
        <nav class="tabs" aria-label={texts.frame.screens}>
          {screens
            .filter((screen) => can(needs[screen]) && (screen !== 'import' || can('people.write')))
            .map((screen) => (
              <a
                key={screen}
                href={linkTo(screen)}
                {...(screen === props.screen ? { 'aria-current': 'page' as const } : {})}
              >
                <Icon name={screen} />
                {texts.frame[screen]}
              </a>
            ))}
        </nav>
        {can('people.read') && props.screen !== 'people' && <FindPerson />}
        <ReaderMenu />
      </header>
      <main id="content" tabIndex={-1}>
        {can(needs[props.screen]) ? (
          props.children
        ) : (
          <Head title={texts.frame[props.screen]} line={texts.frame.noRight} />
        )}
      </main>
    </>
  );
};

const skip = (event: Event): void => {
  event.preventDefault();
  document.getElementById('content')?.focus();
};

/** What the reader looked for in the frame. The screen of people takes it from here: the address must not have it. */
let asked: string | undefined;

/** Takes what the reader looked for, once. */
export const takeQuestion = (): string | undefined => {
  const question = asked;
  asked = undefined;
  return question;
};

const FindPerson = () => {
  const { texts } = useApp();
  const hint = texts.frame.find;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const question = new FormData(event.currentTarget).get('q');
    if (typeof question !== 'string' || question.trim() === '') return;
    asked = question.trim();
    goTo('people');
  };
  return (
    <form class="find search" role="search" onSubmit={onSubmit}>
      <Icon name="search" />
      <input name="q" type="search" aria-label={hint} placeholder={hint} autocomplete="off" />
    </form>
  );
};

/** The menu ends when the focus leaves it by the keyboard. */
const closeBehind = (event: FocusEvent & { readonly currentTarget: HTMLElement }): void => {
  const { currentTarget: menu, relatedTarget: next } = event;
  if (next instanceof Node && !menu.contains(next)) menu.hidePopover();
};

const ReaderMenu = () => {
  const { texts, caller, property, leave, change, speak } = useApp();
  const ofId = (id: string) => caller.properties.find((one) => String(one.id) === id);
  return (
    <>
      <button type="button" class="button plain" popovertarget="reader">
        <Icon name="person" />
        <bdi>{caller.user.first_name || caller.user.email}</bdi>
      </button>
      <div id="reader" class="panel menu" popover="auto" onFocusOut={closeBehind}>
        <p class="small muted">
          <bdi>{caller.user.email}</bdi>
        </p>
        {caller.properties.length > 1 && (
          <label class="field">
            <span class="label">{texts.frame.property}</span>
            <select
              value={property.id}
              onChange={({ currentTarget }) => {
                const chosen = ofId(currentTarget.value);
                if (chosen) change(chosen);
              }}
            >
              {caller.properties.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="field">
          <span class="label">{texts.frame.languages}</span>
          <select onChange={({ currentTarget }) => speak(currentTarget.value)}>
            {Object.entries(languages).map(([code, language]) => (
              <option key={code} value={code} selected={language === texts.language}>
                {language}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button" onClick={leave}>
          <Icon name="leave" small />
          {texts.frame.signOut}
        </button>
      </div>
    </>
  );
};
