/** Where the reader is. */
import { useEffect, useState } from 'preact/hooks';
import { linkTo, routeOf, type Route } from './address.ts';

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
      if (routeOf(location.hash).screen !== routeOf(hash).screen) scrollTo(0, 0);
      setHash(location.hash);
    };
    addEventListener('hashchange', onChange);
    return () => {
      removeEventListener('hashchange', onChange);
    };
  }, [hash]);
  return routeOf(hash);
};
