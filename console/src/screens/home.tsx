/** The screen "Home". */
import { useApp } from '../app-context.ts';
import { Head } from '../parts/panel.tsx';
import type { Route } from '../route.ts';

export const HomeScreen = ({ route }: { readonly route: Route }) => {
  const { texts } = useApp();
  return <Head title={texts.home.title} line={route.parts.join(' ')} />;
};
