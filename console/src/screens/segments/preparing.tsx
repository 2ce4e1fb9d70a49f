/** How far the service is with a condition, of a segment or of what is saved. */
import { useApp } from '../../app-context.ts';
import { Panel } from '../../parts/panel.tsx';
import type { SegmentTexts } from '../../texts/segments/en.ts';

export const Preparing = (props: {
  readonly words: Pick<SegmentTexts['page'], 'preparing' | 'preparingLine'>;
  readonly share: number;
}) => {
  const { words, share } = props;
  const { format } = useApp();
  return (
    <Panel title={words.preparing} body>
      <progress {...(share > 0 ? { value: share } : {})} max={1} aria-label={words.preparing} />
      <p class="small muted" role="status">
        {words.preparingLine(format.percent(share, 1))}
      </p>
    </Panel>
  );
};
