<?php
/** The two blocks of the editor, which show what the shortcodes show. */

namespace Guichet;

add_action( 'init', __NAMESPACE__ . '\register_blocks' );

function register_blocks(): void {
	wp_register_script(
		'guichet-editor',
		file_url( 'blocks/editor.js' ),
		array( 'wp-blocks', 'wp-element', 'wp-block-editor', 'wp-components' ),
		VERSION,
		true
	);
	wp_localize_script(
		'guichet-editor',
		'guichetWords',
		array(
			'assistant' => __( 'Guichet: assistant', 'guichet' ),
			'form'      => __( 'Guichet: form', 'guichet' ),
			'label'     => __( 'Text of the button', 'guichet' ),
			'question'  => __( 'Question that it asks at once', 'guichet' ),
			'id'        => __( 'Identifier of the form', 'guichet' ),
			'title'     => __( 'Title for screen readers', 'guichet' ),
			'ask'       => __( 'Ask a question', 'guichet' ),
		)
	);
	$blocks = dirname( __DIR__ ) . '/blocks';
	register_block_type( $blocks . '/assistant', array( 'render_callback' => __NAMESPACE__ . '\assistant_shown' ) );
	register_block_type( $blocks . '/form', array( 'render_callback' => __NAMESPACE__ . '\form_shown' ) );
}
