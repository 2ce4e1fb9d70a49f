/** Making schedules, and handing them the role under which they send. */
export const makeSchedules = [
  { to: 'exportSchedules', actions: ['scheduler:CreateSchedule', 'scheduler:DeleteSchedule'] },
  { to: 'exportSchedulesRole', actions: ['iam:PassRole'] },
] as const;
