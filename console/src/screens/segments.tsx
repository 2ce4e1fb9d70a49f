/** The screen "Segments": their list, one of them, and the people in it. */
import { useApp } from '../app-context.ts';
import { useLoad } from '../load.ts';
import type { Route } from '../route.ts';
import { loadCatalogue } from './segments/catalogue.ts';
import { SegmentList } from './segments/list.tsx';
import { SegmentPage } from './segments/page.tsx';

export const SegmentsScreen = ({ route }: { readonly route: Route }) => {
  const { api } = useApp();
  const catalogue = useLoad('sizes', (signal) => loadCatalogue(api, signal));
  const [id] = route.parts;
  return id === undefined ? (
    <SegmentList catalogue={catalogue} />
  ) : (
    <SegmentPage key={id} id={id} route={route} catalogue={catalogue} />
  );
};
