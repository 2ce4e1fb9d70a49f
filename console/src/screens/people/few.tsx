/** Long lists of a panel: some rows at first, and more on demand. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';

/** Rows that a panel shows at first, and adds with each press. */
const FEW = 5;
const MORE = 50;

/** How much of a list is shown, and the button that shows more; nothing if all is shown. */
export const useFew = (all: number, few = FEW) => {
  const { texts, format } = useApp();
  const [shown, setShown] = useState(few);
  const rest = Math.min(all - shown, MORE);
  const more =
    rest > 0 ? (
      <>
        <span>{texts.parts.shown(format.number(shown), format.number(all))}</span>
        <button type="button" class="button plain small" onClick={() => setShown(shown + MORE)}>
          {texts.parts.more(format.number(rest))}
        </button>
      </>
    ) : undefined;
  return { shown, more, reset: () => setShown(few) };
};
