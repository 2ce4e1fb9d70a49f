/** Where the reader is. */
import { useEffect, useState } from 'preact/hooks';
import { linkTo, routeOf, type Route } from './address.ts';
import { leaveForNewPlace } from './focus.ts';

export { linkTo, screens, type Route, type Screen } from './address.ts';

/** Goes to a place, as a click on its link does. */
export const goTo = (...place: Parameters<typeof linkTo>): void => {
  location.hash = linkTo(...place);
};

/** The place of the reader. A new place begins at its top. */
export const useRoute = (): Route => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => {
      const [before, now] = [routeOf(hash), routeOf(location.hash)];
      if (now.screen !== before.screen) scrollTo(0, 0);
      setHash(location.hash);
      // A place may go deeper in what is shown: a drawer opens, and takes the focus itself.
      if (now.screen !== before.screen || now.parts[0] !== before.parts[0]) leaveForNewPlace();
    };
    addEventListener('hashchange', onChange);
    return () => {
      removeEventListener('hashchange', onChange);
    };
  }, [hash]);
  return routeOf(hash);
};
