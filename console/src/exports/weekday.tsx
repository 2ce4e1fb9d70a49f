/** A day of the week on which a list goes out, at six in the morning in the zone of the reader. */
import { useApp } from '../app-context.ts';
import { weekdays, zone, type Weekday } from './schedule.ts';

/** A Monday, so that the names of the days come from the calendar of the language. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** The name of a weekday in the language of the page: Monday. */
export const weekdayName = (weekday: Weekday): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { weekday: 'long', timeZone: 'UTC' }).format(
    MONDAY + weekdays.indexOf(weekday) * DAY_MS,
  );

/** The choice of the day. */
export const WeekdayField = (props: {
  readonly weekday: Weekday;
  readonly onChange: (weekday: Weekday) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.weekly;
  return (
    <label class="field">
      <span class="label">{words.when(zone())}</span>
      <select
        onChange={({ currentTarget: { value } }) => {
          const weekday = weekdays.find((one) => one === value);
          if (weekday !== undefined) props.onChange(weekday);
        }}
      >
        {weekdays.map((weekday) => (
          <option key={weekday} value={weekday} selected={weekday === props.weekday}>
            {words.every(weekdayName(weekday))}
          </option>
        ))}
      </select>
    </label>
  );
};
