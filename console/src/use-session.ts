/** The session of the page: it begins with that of the tab, and waits for a sign-in when the service refuses the token. */
import { useEffect, useState } from 'preact/hooks';
import {
  chooseProperty,
  endSession,
  isEnded,
  resume,
  SESSION_ENDED,
  signOut,
  type Session,
} from './session.ts';

/** Before the first answer, signed out, or signed in. */
export type State =
  | { readonly kind: 'beginning' }
  | { readonly kind: 'out'; readonly ended: boolean; readonly problem?: unknown }
  /** `isOver`: the token has ended. What the reader had stays until the next sign-in. */
  | { readonly kind: 'in'; readonly session: Session; readonly isOver: boolean };

/** The state, and what changes it. */
export interface SessionState {
  readonly state: State;
  readonly enter: (session: Session) => void;
  readonly leave: () => void;
  readonly change: (property: Session['property']) => void;
}

/** The session of the page. */
export const useSession = (): SessionState => {
  const [state, setState] = useState<State>({ kind: 'beginning' });
  const enter = (session: Session): void => {
    setState({ kind: 'in', session, isOver: false });
  };
  useEffect(() => {
    const end = (): void => {
      endSession();
      setState((last) => (last.kind === 'in' ? { ...last, isOver: true } : { kind: 'out', ended: true }));
    };
    addEventListener(SESSION_ENDED, end);
    resume()
      .then((session) => {
        if (session) enter(session);
        else setState({ kind: 'out', ended: false });
      })
      .catch((problem: unknown) => {
        // The event has ended a session whose token the service refused.
        if (!isEnded(problem)) setState({ kind: 'out', ended: false, problem });
      });
    return () => {
      removeEventListener(SESSION_ENDED, end);
    };
  }, []);
  const leave = (): void => {
    // Without an answer the token lives on in the service, for hours. The page has forgotten it anyhow.
    signOut().catch(() => undefined);
    // The next reader of this tab does not begin with a person of the last one.
    location.replace('#/');
    setState({ kind: 'out', ended: false });
  };
  const change = (property: Session['property']): void => {
    if (state.kind === 'in') enter(chooseProperty(state.session, property));
  };
  return { state, enter, leave, change };
};
