/** A line of a terminal that is drawn again and again. */

/** The part of a stream that a live line needs. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Pause between two drawings. More of them flicker, and slow a remote terminal down. */
const DRAW_MS = 80;

/** Makes the line of a stream. `now` is a clock in milliseconds. */
export const liveLine = (screen: Screen, now: () => number) => {
  let drawn: number | undefined;
  return {
    /** Draws the line, unless it was drawn a moment ago. */
    draw: (line: string) => {
      if (screen.isTTY !== true || (drawn !== undefined && now() - drawn < DRAW_MS)) return;
      drawn = now();
      screen.write(`\r\x1b[2K${line}`);
    },
    /** Removes the line, for example before other output. */
    clear: () => {
      if (drawn !== undefined) screen.write('\r\x1b[2K');
      drawn = undefined;
    },
  };
};

/** The line. Streams that are no terminal get none of its drawings. */
export type LiveLine = ReturnType<typeof liveLine>;
