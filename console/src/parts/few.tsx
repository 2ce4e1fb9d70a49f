/** Long lists of a panel: some rows at first, and more on demand. */
import { useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';

/** Rows that a panel shows at first, and adds with each press. */
const FEW = 5;
const MORE = 50;

/** How much of a list is shown, and the button that shows more; nothing if all is shown. Of `all` there are `read` rows here. */
export const useFew = (read: number, few = FEW, all = read) => {
  const { texts, format } = useApp();
  const [shown, setShown] = useState(few);
  const seen = Math.min(shown, read);
  const rest = Math.min(read - seen, MORE);
  const more =
    seen < all ? (
      <>
        <span>{texts.parts.shown(format.number(seen), format.number(all))}</span>
        {rest > 0 && (
          <button type="button" class="button plain small" onClick={() => setShown(shown + MORE)}>
            {texts.parts.more(format.number(rest))}
          </button>
        )}
      </>
    ) : undefined;
  return { shown, more, reset: () => setShown(few) };
};
