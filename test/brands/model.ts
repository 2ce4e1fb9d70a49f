/** Brands in plain maps: what the service is compared with. It shares no code with it. */
import type { Placement } from './harness.ts';

/** A segment as a client sees it: type, node and name. */
const shown = (type: string, path: readonly string[], name: string): string =>
  [type, path.join('/'), name].join(' | ');

/** What a like of each page leads to, as the tree shows it. */
export class Model {
  placements: readonly Placement[] = [];

  /** The brand of a page, or the page. */
  thing(page: string): string {
    const placed = this.placements.find(([one]) => one === page);
    if (!placed) return shown('brand', ['Brands', 'Uncategorised'], page);
    return shown('brand', ['Brands', ...placed[2].split(' > ')], placed[1]);
  }

  /** All that somebody with these likes is in. */
  segments(likes: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (const page of likes) {
      found.add(this.thing(page));
      const levels = this.placements.find(([one]) => one === page)?.[2].split(' > ') ?? [];
      levels.forEach((_, depth) => {
        const path = levels.slice(0, depth + 1);
        found.add(shown('CATEGORY', ['Brands', ...path], path.join(' > ')));
      });
    }
    return found;
  }

  /** Pages that stand for the same as this one. */
  companions(page: string, pages: readonly string[]): readonly string[] {
    return pages.filter((one) => this.thing(one) === this.thing(page));
  }
}

export { shown };
