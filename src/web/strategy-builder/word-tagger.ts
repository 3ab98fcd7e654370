// The word tagger in the browser: loaded when a description has words that are not known. Without it the questions stay as
// the grammar asks them.
import { useQuery } from '@tanstack/react-query';
import { type WordTagger, wordTagger } from '#rules/strategy-builder/tagger/word-tagger.ts';

export function useWordTagger(isNeeded: boolean): WordTagger | undefined {
  return useQuery({
    queryKey: ['word-tagger'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/models/word-tagger/word-tagger.onnx', { signal });
      if (!response.ok) throw new Error('the word tagger could not be loaded');
      return wordTagger(new Uint8Array(await response.arrayBuffer()));
    },
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
