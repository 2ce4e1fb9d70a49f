/** The screen "Segments". */
import { useApp } from '../app-context.ts';
import { Head } from '../parts/panel.tsx';
import type { Route } from '../route.ts';

export const SegmentsScreen = ({ route }: { readonly route: Route }) => {
  const { texts } = useApp();
  return <Head title={texts.segments.title} line={route.parts.join(' ')} />;
};
