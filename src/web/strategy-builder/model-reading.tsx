import type { BuilderReading } from '#contract/strategies/builder-readings.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { showMoney } from '../kit/figure/show-figure.ts';
import { Notice } from '../kit/state/notice.tsx';
import { useBuilderModel, useReadByModel } from './builder-queries.ts';
import type { KeptReading, Read } from './kept-reading.ts';
import { ReadingDifferences } from './reading-differences.tsx';

type Model = NonNullable<NonNullable<ReturnType<typeof useBuilderModel>['data']>['model']>;

/** The language model beside the grammar: asked by a press, and each difference decided by the person. Nothing where there is none. */
export function ModelReading({
  messages,
  answers,
  read,
  keep,
}: {
  messages: readonly string[];
  answers: KeptReading['reading']['answers'];
  read: Read;
  /** Null goes back to the grammar's reading. */
  keep: (reading: KeptReading | null) => void;
}) {
  const model = useBuilderModel().data?.model ?? null;
  const asked = useReadByModel();
  if (model === null) return null;
  const [description = '', ...further] = messages;
  const ask = () =>
    asked.mutate(
      { description, further, answers: answers.map((one) => ({ ...one })) },
      { onSuccess: (reading) => keep({ reading, decisions: [] }) },
    );
  const { byModel, judged } = read;
  const isModels = isOfModel(read);
  return (
    <section aria-labelledby="read-by" className="grid gap-3">
      <h2 id="read-by" className="text-sm font-medium text-ink">
        Read by {isModels ? modelName(model) : 'the grammar'}
      </h2>
      <WhoReads model={model} read={read} problem={asked.error} />
      {byModel !== null && judged !== null && 'differences' in judged && (
        <ReadingDifferences
          messages={messages}
          differences={judged.differences}
          clash={judged.clash}
          decide={(decision) =>
            keep({
              ...byModel,
              decisions: [
                ...byModel.decisions.filter(({ difference }) => difference !== decision.difference),
                decision,
              ],
            })
          }
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        {byModel === null && (
          <Button
            size="small"
            variant="secondary"
            busy={asked.isPending}
            busyLabel="Reading... up to a minute"
            onClick={ask}
          >
            Have {modelName(model)} read it
          </Button>
        )}
        {isModels && (
          <Button size="small" variant="secondary" onClick={() => keep(null)}>
            Use the reading of the grammar
          </Button>
        )}
        <span className="figures text-sm text-ink-faint">
          {byModel !== null && `${costWords(byModel.reading)} `}
          Today: {model.spent.calls} of {model.daily.calls} questions, {showMoney(model.spent.money)} of{' '}
          {showMoney(model.daily.money)}.
        </span>
      </div>
    </section>
  );
}

function WhoReads({ model, read, problem }: { model: Model; read: Read; problem: Error | null }) {
  const because = read.byModel?.reading.because;
  return (
    <>
      {model.is_stand_in && (
        <Notice tone="caution" title="A stand-in, no language model">
          It answers by a fixed script, whatever you write. Its rules say nothing about what a real model
          would propose.
        </Notice>
      )}
      <p className="text-sm text-ink-soft">
        {isOfModel(read)
          ? 'The model proposed the rules. The grammar compared them with what it understood; parts that you did not say are marked as assumed.'
          : 'The grammar reads as you write. A language model may understand more; it sees your text and the list of instruments, and nothing else of you.'}
      </p>
      {because && (
        <Notice tone="caution" title="The grammar reads on alone">
          {because}
        </Notice>
      )}
      {problem && (
        <Notice tone="failure" title="The language model was not asked">
          {sentenceOf(problem, 'Nothing that you wrote is lost. Please try again.')}
        </Notice>
      )}
    </>
  );
}

const isOfModel = ({ judged }: Read) => judged !== null && judged.outcome !== 'unfit';

export function modelName({ model, is_stand_in }: Pick<BuilderReading, 'model' | 'is_stand_in'>): string {
  return is_stand_in ? 'the stand-in' : model;
}

/** What a reading took. */
export function costWords({ calls }: BuilderReading): string {
  if (calls.length === 0) return 'It was not asked.';
  const tokens = calls.reduce((sum, one) => sum + (one.tokens_in ?? 0) + (one.tokens_out ?? 0), 0);
  const cost = calls.reduce((sum, one) => sum + one.cost, 0);
  const asked = calls.length === 1 ? 'Asked once' : `Asked ${calls.length} times`;
  return `${asked}: ${tokens} tokens, ${showMoney(cost)}.`;
}
