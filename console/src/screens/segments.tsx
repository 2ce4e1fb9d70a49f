/** The screen "Segments": their list, one of them, the people in it, and the builder. */
import { useApp } from '../app-context.ts';
import { useLoad } from '../load.ts';
import { Loading } from '../parts/panel.tsx';
import type { Route } from '../route.ts';
import { NewSegment } from './segments/builder/builder.tsx';
import { loadCatalogue } from './segments/catalogue.ts';
import { SegmentList } from './segments/list.tsx';
import { SegmentPage } from './segments/page.tsx';

export const SegmentsScreen = ({ route }: { readonly route: Route }) => {
  const { api, texts, can } = useApp();
  const catalogue = useLoad('sizes', (signal) => loadCatalogue(api, signal));
  const [id] = route.parts;
  if (id === undefined || (id === 'new' && !can('definitions.write')))
    return <SegmentList catalogue={catalogue} />;
  if (id === 'new') {
    return (
      <Loading from={catalogue} texts={texts}>
        {(loaded) => (
          <NewSegment
            key={route.parts.join(' ')}
            words={route.parts.slice(1)}
            catalogue={loaded}
            onSaved={catalogue.reload}
          />
        )}
      </Loading>
    );
  }
  return <SegmentPage key={id} id={id} route={route} catalogue={catalogue} />;
};
