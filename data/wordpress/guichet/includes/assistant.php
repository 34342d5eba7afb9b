<?php
/** The assistant: on every page, or where its block or shortcode stands. */

namespace Guichet;

add_action( 'wp_enqueue_scripts', __NAMESPACE__ . '\enqueue_everywhere' );
add_filter( 'script_loader_tag', __NAMESPACE__ . '\with_project', 10, 2 );
add_shortcode( 'guichet_assistant', __NAMESPACE__ . '\assistant_shown' );

function enqueue_everywhere(): void {
	if ( settings()['everywhere'] ) {
		enqueue_assistant();
	}
}

function enqueue_assistant(): void {
	if ( is_set_up() ) {
		// Without a version: the service says itself how long its script may be kept.
		wp_enqueue_script( 'guichet-widget', settings()['address'] . '/widget.js', array(), null, true );
	}
}

/** Adds the project to the tag that WordPress writes. */
function with_project( string $tag, string $handle ): string {
	if ( $handle !== 'guichet-widget' ) {
		return $tag;
	}
	$attributes = sprintf( ' data-project="%s" defer ', esc_attr( settings()['project'] ) );
	return str_replace( '<script ', '<script' . $attributes, $tag );
}

/**
 * A button that opens the assistant, or asks a question at once. Hidden until the script can do so.
 *
 * @param array|string $given `question` and `label`, of a shortcode or a block.
 */
function assistant_shown( $given ): string {
	if ( ! is_set_up() ) {
		return '';
	}
	$given = shortcode_atts(
		array(
			'question' => '',
			'label'    => '',
		),
		$given
	);
	enqueue_assistant();
	wp_enqueue_script( 'guichet-open', file_url( 'open.js' ), array(), VERSION, true );
	$usual = $given['question'] === '' ? __( 'Ask a question', 'guichet' ) : $given['question'];
	return sprintf(
		'<p class="guichet-assistant"><button type="button" class="wp-element-button guichet-open" data-question="%s" hidden>%s</button></p>',
		esc_attr( $given['question'] ),
		esc_html( $given['label'] === '' ? $usual : $given['label'] )
	);
}
