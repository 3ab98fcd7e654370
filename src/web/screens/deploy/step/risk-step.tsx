import { useSaveRiskProfile } from '../../../suitability/save-risk-profile.ts';
import { Questionnaire } from '../../../suitability/questionnaire.tsx';
import { RiskSummary } from '../../../suitability/risk-summary.tsx';
import type { RiskProfile } from '#contract/suitability.ts';
import type { Answers } from '#rules/suitability/assess-answers.ts';
import { QUESTION_IDS } from '#rules/suitability/questionnaire.ts';
import { Button } from '../../../kit/control/button.tsx';
import { ButtonLink } from '../../../kit/control/button-link.tsx';
import { Notice } from '../../../kit/state/notice.tsx';
import { showWord } from '../../../kit/figure/show-figure.ts';
import { SuitabilityNotice, unsuitableReason } from './suitability-notice.tsx';
import type { Wizard } from '../wizard-state.ts';

export function RiskStep({ wizard }: { wizard: Wizard }) {
  const { user, draft, change, goOn } = wizard;
  const profile = user.risk_profile;
  const save = useSaveRiskProfile(profile);
  const retake = () =>
    change({ riskView: 'questions', question: 0, answers: profile ? answersOf(profile) : {} });

  if (profile === null || draft.riskView === 'questions') {
    return (
      <>
        <p className="mb-6 text-ink-soft">
          Six questions about you and your finances. They decide which strategies you can use.
        </p>
        <Questionnaire
          answers={draft.answers}
          place={draft.question}
          onAnswer={(answers) => change({ answers })}
          onPlace={(question) => change({ question })}
          onComplete={() =>
            save.mutate(draft.answers, { onSuccess: () => change({ riskView: 'summary', question: 0 }) })
          }
          isEditing={profile !== null}
          isSaving={save.isPending}
          failure={save.isError ? saveFailure(profile) : null}
        />
      </>
    );
  }
  const isSummary = draft.riskView === 'summary';
  return (
    <>
      {!isSummary && (
        <div className="mb-8">
          <Notice tone="evidence" title="Risk Profile Is Set">
            Your tolerance is {showWord(profile.risk_tolerance).toLowerCase()}. You can keep this profile, or
            retake the assessment if something has changed.
          </Notice>
        </div>
      )}
      <RiskSummary profile={profile} />
      <div className="mt-8">
        <SuitabilityNotice wizard={wizard} />
      </div>
      <div className="mt-8 flex flex-wrap justify-between gap-3">
        <Button variant="secondary" size="large" onClick={retake}>
          Retake Assessment
        </Button>
        {unsuitableReason(wizard) === undefined ? (
          <Button
            size="large"
            onClick={() => {
              change({ riskView: 'profile' });
              goOn();
            }}
          >
            {isSummary ? 'Continue' : 'Continue with Current Profile'}
          </Button>
        ) : (
          <ButtonLink size="large" to="/marketplace?fit=me">
            See strategies that fit you
          </ButtonLink>
        )}
      </div>
    </>
  );
}

function answersOf(profile: RiskProfile): Answers {
  return Object.fromEntries(
    QUESTION_IDS.flatMap((id) => {
      const answer = profile.questionnaire_responses[id];
      return answer ? [[id, answer.value]] : [];
    }),
  );
}

function saveFailure(profile: RiskProfile | null): string {
  return `Failed to ${profile ? 'update' : 'save'} risk assessment. Please try again.`;
}
