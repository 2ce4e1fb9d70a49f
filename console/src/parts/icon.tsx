/** Icons: lines on a grid of 24, drawn for this console. A word always stands beside an icon. */

const paths = {
  wave: 'M3 9c3-4 6-4 9 0s6 4 9 0M3 16c3-4 6-4 9 0s6 4 9 0',
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  import: 'M12 4v11m-4-4 4 4 4-4M4 17v2a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-2',
  download: 'M12 4v11m-4-4 4 4 4-4M5 20h14',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6 9c0-3.5 2.5-6 6-6s6 2.5 6 6m1-16a3.5 3.5 0 0 1 0 7m5 9c0-3-1.5-5-4-6',
  person: 'M12 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-7 9c0-4 3-6 7-6s7 2 7 6',
  segments: 'M12 3a9 9 0 1 0 9 9h-9zM16 3.9A9 9 0 0 1 20.1 8H16z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.8-4.8',
  tick: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  warn: 'M12 4 2.8 19.5h18.4zM12 10v4.5m0 2.5v.1',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-10v5.5m0-8.8v.1',
  again: 'M20 5v5h-5M19.4 10A8 8 0 1 0 20 14',
  undo: 'M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-4',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  right: 'M9 5l7 7-7 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-14v5l3.5 2',
  erase: 'M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13',
  leave: 'M14 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h8m-2-7h9m-3.5-3.5L21 12l-3.5 3.5',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** An icon, hidden from screen readers. */
export const Icon = ({ name, small = false }: { readonly name: IconName; readonly small?: boolean }) => (
  <svg class={small ? 'icon small' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
