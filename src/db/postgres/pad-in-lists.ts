import {
  type BinaryOperationNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  type QueryId,
} from "kysely"

/**
 * Repeats the last value of each list of `IN` until the number of values is a power of two. Every statement stays
 * prepared, in the memory of the server too, and lists of each length from 1 to 1,200 would be 1,200 statements: 270 MB
 * of the server for a single connection. A value that is named twice changes nothing.
 */
export function padInLists(): KyselyPlugin {
  const padding = new Padding()
  return {
    transformQuery: ({ node, queryId }) => padding.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

class Padding extends OperationNodeTransformer {
  protected override transformBinaryOperation(
    node: BinaryOperationNode,
    queryId?: QueryId,
  ): BinaryOperationNode {
    const { operator, rightOperand: list, ...rest } = super.transformBinaryOperation(node, queryId)
    const isIn = OperatorNode.is(operator) && (operator.operator === "in" || operator.operator === "not in")
    if (!isIn || !PrimitiveValueListNode.is(list)) return { ...rest, operator, rightOperand: list }
    return { ...rest, operator, rightOperand: PrimitiveValueListNode.create(padded(list.values)) }
  }
}

function padded(values: readonly unknown[]): readonly unknown[] {
  const missing = 2 ** Math.ceil(Math.log2(Math.max(values.length, 1))) - values.length
  return [...values, ...Array(missing).fill(values.at(-1))]
}
