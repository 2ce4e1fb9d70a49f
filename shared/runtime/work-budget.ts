/** Work budget: counts the work that one thing may still cost, so that no definition multiplies it without a bound. */

/** The work that one thing may still cost: a row, the printed row of an export, an answer. */
export interface WorkBudget {
  /** Takes an amount of work from the budget. False, from then on always, once there was not enough left. */
  readonly take: (amount: number) => boolean;
}

/** A budget of so much work. */
export const workBudget = (most: number): WorkBudget => {
  let left = most;
  return {
    take: (amount) => {
      left -= amount;
      return left >= 0;
    },
  };
};
