import type { Conversation } from '#rules/strategy-builder/reading/conversation.ts';
import { refuse, type Refused } from '../http/refusal.ts';

type Said = {
  readonly description: string;
  readonly further?: readonly string[] | undefined;
  readonly answers?: Conversation['answers'] | undefined;
};

export function conversationOf({ description, further = [], answers = [] }: Said): Conversation | Refused {
  if (description.trim() !== '') return { messages: [description, ...further], answers };
  const sentence =
    'Describe what to trade and how, such as: hold bitcoin while it is above its 50-day average.';
  return refuse('description_unclear', sentence, { field: 'description' });
}
