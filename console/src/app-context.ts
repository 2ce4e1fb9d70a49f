/** What every part of the console may ask for: the session, the texts, and how to write numbers and times. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Permission } from '../../client/src/types.ts';
import type { Format } from './format.ts';
import type { Session } from './session.ts';
import type { Texts } from './texts/en.ts';

/** The context of a signed-in reader. */
export interface App extends Session {
  /** Whether the token has ended: a sign-in stands before the page. */
  readonly isOver: boolean;
  readonly texts: Texts;
  readonly format: Format;
  /** Whether the token may do this. A button that would fail is not shown. */
  readonly can: (permission: Permission) => boolean;
  /** Signs out. */
  readonly leave: () => void;
  /** Goes on with another property. */
  readonly change: (property: Session['property']) => void;
  /** Goes on in another language. */
  readonly speak: (language: string) => void;
}

export const AppContext = createContext<App | undefined>(undefined);

/** The context of the signed-in reader. Throws outside of it. */
export const useApp = (): App => {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('useApp needs a signed-in reader.');
  return app;
};
