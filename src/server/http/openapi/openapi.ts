import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { type ApiDocument, completeDocument } from './complete-document.ts';

/** The OpenAPI 3.1 document, made from the contract. Register before the rooms. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Bellwether',
        version,
        description:
          'Marketplace and deployment platform for AI-driven trading strategies. Money is in dollars, returns in percent, drawdown series in fractions, labels are ISO dates. Both forms of every address, with and without the last slash, answer. Every refusal is JSON with code, message and, where one is wrong, field; an address that exists answers another method with 405 and Allow. A request that does not arrive within 30 seconds is refused with 408.',
      },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (given) => {
      const document = jsonSchemaTransformObject(given) as unknown as ApiDocument;
      return completeDocument(document) as unknown as ReturnType<typeof jsonSchemaTransformObject>;
    },
  });
  app.get('/api/openapi.json', { schema: { hide: true } as object }, (_request, reply) =>
    reply.type('application/json').send(app.swagger()),
  );
}
