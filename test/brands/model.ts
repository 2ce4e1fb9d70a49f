/** Brands in plain maps: the reference model of the service. The model shares no code with the service. */
import type { Placement } from './harness.ts';

/** The type, node and name of a segment, as a client sees it. */
const shown = (type: string, path: readonly string[], name: string): string =>
  [type, path.join('/'), name].join(' | ');

/** The segments of each like, as the tree shows them. */
export class Model {
  placements: readonly Placement[] = [];

  /** The brand of a page, or the page itself. */
  thing(page: string): string {
    const placed = this.placements.find(([one]) => one === page);
    if (!placed) return shown('brand', ['Brands', 'Uncategorised'], page);
    return shown('brand', ['Brands', ...placed[2].split(' > ')], placed[1]);
  }

  /** All segments of a person with these likes. */
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

  /** Pages of the same brand as this page. */
  companions(page: string, pages: readonly string[]): readonly string[] {
    return pages.filter((one) => this.thing(one) === this.thing(page));
  }
}

export { shown };
