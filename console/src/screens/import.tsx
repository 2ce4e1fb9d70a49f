/** The screen "Import". */
import { useApp } from '../app-context.ts';
import { Head } from '../parts/panel.tsx';
import type { Route } from '../route.ts';

export const ImportScreen = ({ route }: { readonly route: Route }) => {
  const { texts } = useApp();
  return <Head title={texts.import.title} line={route.parts.join(' ')} />;
};
