/**
 * The focus of a reader who uses the keyboard or hears the page. It follows to the title of a new place, and it never falls off
 * the page: where what had it is gone, the title has it.
 */

const main = (): HTMLElement | null => document.querySelector('main');

/** The title of the place, if it is there already. */
const title = (): HTMLElement | null => document.querySelector('main h1');

/** Whether nothing has the focus that a reader could have given it: the page, or the screen while it loads its title. */
const isNowhere = (): boolean =>
  document.activeElement === document.body || document.activeElement === main();

/** Gives the focus to the screen of a new place. Its title takes it from there. */
export const leaveForNewPlace = (): void => {
  main()?.focus({ preventScroll: true });
};

/** Gives the focus to the title if nothing has it. */
export const focusTitle = (): void => {
  if (isNowhere()) title()?.focus({ preventScroll: true });
};

/** A button that cannot be pressed now keeps the focus, which `disabled` would take from it. A press does nothing. */
const ignoreOff = (event: Event): void => {
  if (!(event.target instanceof Element) || !event.target.closest('[aria-disabled=true]')) return;
  event.preventDefault();
  event.stopPropagation();
};

/** Watches for what goes while it has the focus: a button that has done its work, a row that is mended. */
export const keepFocus = (): void => {
  addEventListener('click', ignoreOff, { capture: true });
  let last: Element | null = null;
  addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : null;
  });
  new MutationObserver(() => {
    if (last?.isConnected === false && isNowhere()) {
      last = null;
      // All but an open dialog cannot have the focus.
      const inDialog = document.querySelector<HTMLElement>('dialog[open] footer .button');
      (inDialog ?? title() ?? main())?.focus({ preventScroll: true });
    }
  }).observe(document.body, { childList: true, subtree: true });
};
