declare module 'dynalite/actions/*' {
  import type { Store } from 'dynalite/db/index.js';

  const action: (
    store: Store,
    data: Record<string, unknown>,
    done: (error: Error | null | undefined, answer: Record<string, unknown>) => void,
  ) => void;
  export default action;
}
