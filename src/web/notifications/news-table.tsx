import {
  type Channel,
  CHANNEL_LABELS,
  CHANNELS,
  type Choice,
  NEWS,
  NEWS_LABELS,
  type News,
  type NewsChoices,
  USUAL_CHOICES,
} from '#rules/notifications/choices.ts';
import { useHasProvider } from '../call/installation.ts';

type Press = { choices: NewsChoices; onChoose: (choice: Choice) => void };

/** Which news goes by which channel. On a phone each kind of news has its channels below it, with their names. */
export function NewsTable({ choices, onChoose }: Press) {
  const hasProvider = useHasProvider();
  const news = hasProvider ? NEWS : NEWS.filter((one) => one !== 'fees');
  return (
    <table className="w-full text-sm max-sm:block">
      <caption className="sr-only">Which news goes by which channel</caption>
      <thead className="max-sm:sr-only">
        <tr>
          <th scope="col" className="border-b py-2 text-left font-normal text-ink-faint">
            News
          </th>
          {CHANNELS.map((channel) => (
            <th
              key={channel}
              scope="col"
              className="w-24 border-b py-2 text-center font-normal text-ink-faint"
            >
              {CHANNEL_LABELS[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {news.map((one) => (
          <NewsRow key={one} news={one} choices={choices} onChoose={onChoose} />
        ))}
      </tbody>
    </table>
  );
}

function NewsRow({ news, choices, onChoose }: Press & { news: News }) {
  const hasProvider = useHasProvider();
  const { label, hint, hintOfOwn } = NEWS_LABELS[news];
  return (
    <tr className="border-b last:border-0 max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:py-3">
      <th scope="row" className="py-3 pr-6 text-left font-normal max-sm:w-full max-sm:py-0">
        <span className="text-ink">{label}</span>
        <span className="block text-ink-faint">{hasProvider ? hint : (hintOfOwn ?? hint)}</span>
      </th>
      {CHANNELS.map((channel) => (
        <td
          key={channel}
          className={USUAL_CHOICES[news][channel] === undefined ? 'text-center max-sm:hidden' : 'text-center'}
        >
          <Cell news={news} channel={channel} choices={choices} onChoose={onChoose} />
        </td>
      ))}
    </tr>
  );
}

function Cell({ news, channel, choices, onChoose }: Press & { news: News; channel: Channel }) {
  const usual = USUAL_CHOICES[news][channel];
  if (usual === undefined) return <span className="text-ink-faint">–</span>;
  const row: Partial<Record<Channel, boolean>> = choices[news];
  return (
    <label className="inline-flex min-h-11 items-center gap-1.5 sm:gap-2">
      <input
        type="checkbox"
        aria-label={`${NEWS_LABELS[news].label}: ${CHANNEL_LABELS[channel]}`}
        className="size-5 shrink-0 rounded accent-accent-fill disabled:cursor-not-allowed disabled:opacity-60"
        checked={row[channel] ?? false}
        disabled={usual === 'always'}
        onChange={(event) => onChoose({ news, channel, isOn: event.target.checked })}
      />
      <span className="text-ink-soft sm:hidden">{CHANNEL_LABELS[channel]}</span>
    </label>
  );
}
