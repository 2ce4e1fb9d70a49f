/** The screen "People". */
import { useApp } from '../app-context.ts';
import { Head } from '../parts/panel.tsx';
import type { Route } from '../route.ts';

export const PeopleScreen = ({ route }: { readonly route: Route }) => {
  const { texts } = useApp();
  return <Head title={texts.people.title} line={route.parts.join(' ')} />;
};
