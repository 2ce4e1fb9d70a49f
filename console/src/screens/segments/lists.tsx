/** The exports of a segment that are more than downloads. */
import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { ExportsTable } from '../../exports/table.tsx';
import { useExports } from '../../exports/use-exports.ts';
import { Loading } from '../../parts/panel.tsx';

/** Exports that are looked through, the newest first. */
const LISTED = 1_000;

/** The table; nothing without such exports. Looks again once `isMaking` ends: a dialog that makes one. */
export const Lists = (props: { readonly segment: number; readonly isMaking: boolean }) => {
  const { segment, isMaking } = props;
  const { texts } = useApp();
  const lists = useExports(`lists ${segment}`, { listed: LISTED, downloads: 0, of: segment });
  const wasMaking = useRef(false);
  useEffect(() => {
    if (wasMaking.current) lists.reload();
    wasMaking.current = isMaking;
  }, [isMaking]);
  if (lists.waiting) return null;
  return (
    <Loading from={lists} texts={texts}>
      {(of) => (
        <ExportsTable title={texts.segments.weekly.lists} of={of} isAtSegment onChange={lists.reload} />
      )}
    </Loading>
  );
};
