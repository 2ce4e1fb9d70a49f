/** The console: begins with the session of this tab, or with a sign-in, and shows the screen of the address. */
import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { AppContext, type App } from './app-context.ts';
import { keepFocus } from './focus.ts';
import { formatOf } from './format.ts';
import { Frame } from './parts/frame.tsx';
import { Problem } from './parts/notice.tsx';
import { useRoute, type Screen } from './route.ts';
import { HomeScreen } from './screens/home.tsx';
import { ImportScreen } from './screens/import.tsx';
import { PeopleScreen } from './screens/people.tsx';
import { SegmentsScreen } from './screens/segments.tsx';
import { SignInAgain, SignInScreen } from './screens/sign-in.tsx';
import { keepLanguage, languageOf, loadLanguage, localeOf, type Language } from './texts/languages.ts';
import { useSession } from './use-session.ts';

const screenOf = {
  home: HomeScreen,
  import: ImportScreen,
  people: PeopleScreen,
  segments: SegmentsScreen,
} as const satisfies Readonly<Record<Screen, unknown>>;

const Console = (props: { readonly begins: Language }) => {
  const { state, enter, leave, change } = useSession();
  const [{ code: language, texts }, setLanguage] = useState(props.begins);
  const route = useRoute();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const app = useMemo((): App | undefined => {
    if (state.kind !== 'in') return undefined;
    const held = new Set<string>(state.session.caller.permissions);
    const speak = (code: string): void => {
      keepLanguage(code);
      begin(code, setLanguage);
    };
    const format = formatOf(localeOf(language), Date.now);
    const can: App['can'] = (permission) => held.has(permission);
    return { ...state.session, isOver: state.isOver, texts, format, can, leave, change, speak };
  }, [state, language]);
  if (state.kind === 'beginning') return null;
  if (state.kind === 'out') {
    return (
      <>
        <Problem error={state.problem} texts={texts} />
        <SignInScreen texts={texts} ended={state.ended} onSession={enter} />
      </>
    );
  }
  const Shown = screenOf[route.screen];
  return (
    <AppContext.Provider value={app}>
      <Frame key={state.session.caller.user.id} screen={route.screen}>
        <Shown key={state.session.property.id} route={route} />
      </Frame>
      {state.isOver && <SignInAgain texts={texts} onSession={enter} />}
    </AppContext.Provider>
  );
};

/** Loads a language, and begins to speak it. */
const begin = (code: string, speaks: (language: Language) => void): void => {
  loadLanguage(code)
    .then(speaks)
    .catch(() => undefined);
};

keepFocus();
const place = document.getElementById('app');
if (place) {
  begin(languageOf(), (language) => {
    render(<Console begins={language} />, place);
  });
}
