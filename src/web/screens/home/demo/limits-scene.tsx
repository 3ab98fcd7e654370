import { useEffect, useState } from 'react';
import {
  SETTING_LABELS,
  WIZARD_RANGES,
  DEFAULT_SETTINGS,
  DEPLOYMENT_SETTINGS,
} from '#rules/deployments/setting-ranges.ts';

/** The three limits, moving to where the wizard would begin. */
export function LimitsScene() {
  const [arrived, setArrived] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setArrived(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div className="mx-auto grid h-full max-w-md content-center gap-9">
      {DEPLOYMENT_SETTINGS.map((setting, i) => {
        const { min, max } = WIZARD_RANGES[setting];
        const value = DEFAULT_SETTINGS[setting];
        const share = arrived ? (value - min) / (max - min) : 0;
        return (
          <div key={setting}>
            <div className="flex items-baseline justify-between">
              <span className="text-sm">{SETTING_LABELS[setting]}</span>
              <span className="figures text-lg">{value}%</span>
            </div>
            <div className="relative mt-3 h-1 rounded-full bg-control-line/50">
              <div
                className="absolute inset-y-0 left-0 rounded-full bg-accent-fill transition-[width] duration-1000"
                style={{ width: `${share * 100}%`, transitionDelay: `${i * 300}ms` }}
              />
            </div>
          </div>
        );
      })}
    </div>
  );
}
